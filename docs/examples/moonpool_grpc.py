#!/usr/bin/env python3
"""Moonpool's gRPC from Python, with stubs that are generated from the .proto files on the way.

    pip install grpcio grpcio-tools
    python3 docs/examples/moonpool_grpc.py 127.0.0.1:50061 [KEY]

Prints the nodes and segments of the pool and, when a KEY is given, where that object is.
"""

import pathlib
import sys
import tempfile

import grpc
from grpc_tools import protoc

PROTOS = pathlib.Path(__file__).resolve().parents[2] / "src/protocol/src/main/protobuf"


def generate(folder):
    """Has protoc write the stubs; a project of its own does that once, when it is built."""
    files = [str(path) for path in sorted((PROTOS / "moonpool/v1").glob("*.proto"))]
    arguments = ["protoc", f"-I{PROTOS}", f"--python_out={folder}", f"--grpc_python_out={folder}"]
    if protoc.main(arguments + files) != 0:
        sys.exit("protoc failed")
    sys.path.insert(0, folder)


def main():
    address = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        generate(folder)
        from moonpool.v1 import cluster_pb2, cluster_pb2_grpc, objects_pb2_grpc

        with grpc.insecure_channel(address) as channel:
            clients = cluster_pb2_grpc.ClientsStub(channel)
            segments = cluster_pb2_grpc.SegmentsStub(channel)
            for node in clients.List(cluster_pb2.ListClientsRequest(), timeout=10).clients:
                print("node", node.node_id, node.address)
            for segment in segments.List(cluster_pb2.ListSegmentsRequest(), timeout=10).segments:
                print("segment", segment.name, segment.size)
            if len(sys.argv) > 2:
                describe(objects_pb2_grpc.ObjectsStub(channel), sys.argv[2])


def describe(objects, key):
    from moonpool.v1 import objects_pb2

    try:
        found = objects.Describe(objects_pb2.NamedRequest(key=key), timeout=10)
        print("object", key, found.size, "bytes,", len(found.replicas), "replicas")
    except grpc.RpcError as e:
        print("object", key, e.code().name, e.details())


if __name__ == "__main__":
    main()
