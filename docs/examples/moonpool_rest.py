#!/usr/bin/env python3
"""Moonpool over REST with nothing but Python's standard library (3.8 or later).

    python3 docs/examples/moonpool_rest.py http://127.0.0.1:9301 http://127.0.0.1:9003

The first address is a node's (values), the second the master's (everything else). Values go through
the node's staging memory: fine for scripts; engines embed the client library.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request


class MoonpoolError(Exception):
    """What the pool answered instead of a result: a name and a number of docs/errors.md."""

    def __init__(self, name, code, message):
        super().__init__(f"{name}: {message}")
        self.name = name
        self.code = code


class Pool:
    def __init__(self, node, master, token=None, timeout=30):
        self.node = node.rstrip("/")
        self.master = master.rstrip("/")
        self.token = token
        self.timeout = timeout

    def put(self, key, value, replicas=1, upsert=False):
        query = urllib.parse.urlencode({"replicas": replicas, "upsert": str(upsert).lower()})
        self._call("PUT", f"{self._object(key)}?{query}", value)

    def get(self, key):
        """The value, or None when there is none: a cache misses."""
        try:
            return self._call("GET", self._object(key))
        except MoonpoolError as e:
            if e.name == "OBJECT_NOT_FOUND":
                return None
            raise

    def get_range(self, key, first, last):
        return self._call("GET", self._object(key), headers={"Range": f"bytes={first}-{last}"})

    def remove(self, key, force=False):
        self._call("DELETE", f"{self._object(key)}?force={str(force).lower()}")

    def keys(self, prefix=""):
        """All keys with that prefix, page by page."""
        cursor = "0"
        while True:
            query = urllib.parse.urlencode({"prefix": prefix, "cursor": cursor, "limit": 1000})
            page = self._master("GET", f"/api/v1/objects?{query}")
            for item in page["objects"]:
                yield item["key"]
            cursor = page["next_cursor"]
            if cursor == "0":
                return

    def cluster(self):
        return self._master("GET", "/api/v1/cluster")

    def drain_plan(self, node):
        return self._master("POST", "/api/v1/drain_jobs", {"node": node, "plan": True})

    def nodes(self):
        return self._master("GET", "/api/v1/clients")["clients"]

    def _object(self, key):
        return f"{self.node}/v1/objects/{urllib.parse.quote(key, safe='')}"

    def _master(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self._call(method, self.master + path, data))

    def _call(self, method, url, data=None, headers=None):
        request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return response.read()
        except urllib.error.HTTPError as e:
            answer = e.read()
            try:
                error = json.loads(answer)
            except ValueError:
                raise MoonpoolError("INTERNAL_ERROR", -1, f"HTTP {e.code}") from e
            raise MoonpoolError(error["error"], error["code"], error["message"]) from e


def main():
    node, master = sys.argv[1:3]
    pool = Pool(node, master, token=os.environ.get("TOKEN"))
    print("objects before:", pool.cluster()["objects"])
    value = bytes(range(256)) * 1000
    pool.put("python/prompt 1", value)
    print("read back whole:", pool.get("python/prompt 1") == value)
    print("bytes 250 to 259:", pool.get_range("python/prompt 1", 250, 259).hex())
    print("a key that is not there:", pool.get("python/none"))
    try:
        pool.put("python/prompt 1", b"another")
    except MoonpoolError as e:
        print("a second put:", e.name, e.code)
    pool.put("python/prompt 1", b"another", upsert=True)
    print("after an upsert:", pool.get("python/prompt 1").decode())
    print("keys:", list(pool.keys("python/")))
    plan = pool.drain_plan(pool.nodes()[0]["node_id"])
    print("a drain of the first node would move", plan["units"], "objects")
    pool.remove("python/prompt 1", force=True)
    print("keys:", list(pool.keys("python/")))


if __name__ == "__main__":
    main()
