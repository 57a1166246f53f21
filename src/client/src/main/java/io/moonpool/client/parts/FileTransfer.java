package io.moonpool.client.parts;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectReader;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.transfer.Workers;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Files into and out of the pool. Bytes go between the file and memory outside the heap, part by
 * part, several at once; no file is ever in a heap.
 *
 * <p>Any thread may call. Files are read and written on the worker executor.
 */
public final class FileTransfer {
  /** How much of a file one call of the kernel moves: the worker can be interrupted in between. */
  private static final int SLICE_BYTES = 8 << 20;

  private final LargeObjects values;
  private final StagingPool staging;
  private final Workers worker;

  private FileTransfer(LargeObjects values, StagingPool staging, Workers worker) {
    this.values = values;
    this.staging = staging;
    this.worker = worker;
  }

  /**
   * File transfers over a client, which stays the caller's to close. Takes memory for as many parts
   * as are under way at once, and one more, when the first transfer needs it.
   */
  public static FileTransfer open(Vertx vertx, MoonpoolClient client, PartOptions options) {
    Workers worker = new Workers(vertx, "moonpool-client-files", options.partsAtOnce() + 1);
    StagingPool staging =
        new StagingPool(
            worker, options.partBytes(), options.partBytes() * (options.partsAtOnce() + 2));
    return new FileTransfer(new LargeObjects(client, options), staging, worker);
  }

  /** Gives the memory back. No transfer may be under way. */
  public Future<Void> close() {
    return staging.close().eventually(worker::close);
  }

  /**
   * Puts the content of a file. Fails with FILE_NOT_FOUND or FILE_READ_FAIL, or like a put; answers
   * how many bytes. A file that changes meanwhile makes it fail.
   *
   * @param upsert whether a value that is there is replaced
   */
  public Future<Long> put(String key, Path file, WriteOptions how, boolean upsert) {
    return blocking(ErrorCode.FILE_OPEN_FAIL, () -> FileChannel.open(file, StandardOpenOption.READ))
        .compose(
            channel ->
                blocking(ErrorCode.FILE_READ_FAIL, channel::size)
                    .compose(
                        size ->
                            size <= values.options().partBytes()
                                ? putWhole(key, channel, size, how, upsert)
                                : putParts(key, channel, size, how, upsert))
                    .eventually(() -> close(channel)));
  }

  private Future<Long> putWhole(
      String key, FileChannel channel, long size, WriteOptions how, boolean upsert) {
    if (size == 0) {
      return Future.failedFuture(
          new StoreException(ErrorCode.INVALID_PARAMS, "the file is empty: values are not"));
    }
    return staging
        .take(size)
        .compose(
            staged ->
                readFully(channel, 0, staged.memory())
                    .compose(
                        read ->
                            upsert
                                ? values.upsert(key, staged.memory(), how)
                                : values.put(key, staged.memory(), how))
                    .onComplete(done -> staged.release()))
        .map(size);
  }

  private Future<Long> putParts(
      String key, FileChannel channel, long size, WriteOptions how, boolean upsert) {
    return values
        .upload(key, how, upsert)
        .compose(
            upload ->
                inOrder(
                        Math.toIntExact(Math.ceilDiv(size, partBytes())),
                        number -> addPart(upload, channel, number * partBytes(), size))
                    .compose(
                        added -> upload.finish(),
                        failure ->
                            upload.abort().transform(gone -> Future.<Void>failedFuture(failure))))
        .map(size);
  }

  private long partBytes() {
    return values.options().partBytes();
  }

  /** Reads a part and hands it to the upload; the outer future is complete when it has it. */
  private Future<Future<Void>> addPart(
      PartedUpload upload, FileChannel channel, long offset, long size) {
    return staging
        .take(Math.min(partBytes(), size - offset))
        .compose(
            staged ->
                readFully(channel, offset, staged.memory())
                    .map(read -> upload.add(staged.memory()).onComplete(put -> staged.release()))
                    .onFailure(failed -> staged.release()));
  }

  /**
   * Runs steps one after the other while what they started goes on, some of it at once; completes
   * when all of it has, fails with the first failure.
   */
  private Future<Void> inOrder(int count, IntFunction<Future<Future<Void>>> step) {
    return new Steps(count, values.options().partsAtOnce(), step).start();
  }

  /**
   * Writes a value into a file, which appears when it is complete and replaces what was there.
   * Answers how many bytes. Fails with FILE_WRITE_FAIL, or like a read.
   */
  public Future<Long> get(String key, Path file) {
    Path temporary =
        file.resolveSibling(
            file.getFileName() + "." + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    return values
        .open(key)
        .compose(
            value ->
                blocking(
                        ErrorCode.FILE_OPEN_FAIL,
                        () ->
                            FileChannel.open(
                                temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
                    .compose(channel -> writeAll(value, channel).eventually(() -> close(channel)))
                    .compose(
                        written -> blocking(ErrorCode.FILE_WRITE_FAIL, () -> move(temporary, file)))
                    .recover(
                        failure ->
                            blocking(
                                    ErrorCode.FILE_WRITE_FAIL,
                                    () -> Files.deleteIfExists(temporary))
                                .transform(deleted -> Future.failedFuture(failure)))
                    .map(value.size()));
  }

  private Future<Void> writeAll(ObjectReader value, FileChannel channel) {
    int count = Math.toIntExact(Math.ceilDiv(value.size(), partBytes()));
    return inOrder(
        count,
        number -> {
          long offset = number * partBytes();
          return staging
              .take(Math.min(partBytes(), value.size() - offset))
              .map(
                  staged ->
                      value
                          .read(offset, staged.memory())
                          .compose(read -> writeFully(channel, offset, staged.memory()))
                          .onComplete(done -> staged.release()));
        });
  }

  private static Path move(Path from, Path to) throws IOException {
    return Files.move(
        from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private Future<Void> readFully(FileChannel channel, long offset, MemorySegment target) {
    return blocking(
            ErrorCode.FILE_READ_FAIL,
            () -> {
              for (long at = 0; at < target.byteSize(); ) {
                ByteBuffer slice = slice(target, at);
                int read = channel.read(slice, offset + at);
                if (read < 0) {
                  throw new StoreException(
                      ErrorCode.FILE_READ_FAIL, "the file became shorter while it was read");
                }
                at += read;
              }
              return offset;
            })
        .mapEmpty();
  }

  private Future<Void> writeFully(FileChannel channel, long offset, MemorySegment source) {
    return blocking(
            ErrorCode.FILE_WRITE_FAIL,
            () -> {
              for (long at = 0; at < source.byteSize(); ) {
                at += channel.write(slice(source, at), offset + at);
              }
              return offset;
            })
        .mapEmpty();
  }

  private static ByteBuffer slice(MemorySegment memory, long at) {
    return memory.asSlice(at, Math.min(SLICE_BYTES, memory.byteSize() - at)).asByteBuffer();
  }

  private Future<Void> close(FileChannel channel) {
    return blocking(
            ErrorCode.FILE_WRITE_FAIL,
            () -> {
              channel.close();
              return channel;
            })
        .mapEmpty();
  }

  /** Runs file work on the worker; an I/O failure becomes a failure of the table. */
  private <T> Future<T> blocking(ErrorCode code, Callable<T> work) {
    return worker
        .run(work)
        .recover(
            failure ->
                Future.failedFuture(
                    switch (failure) {
                      case NoSuchFileException e ->
                          new StoreException(
                              ErrorCode.FILE_NOT_FOUND, "no such file: " + e.getMessage());
                      case IOException e -> new StoreException(code, e.toString());
                      default -> failure;
                    }));
  }

  /** See {@link #inOrder}. Its state is guarded by itself: callbacks come from several threads. */
  private static final class Steps {
    private final int count;
    private final int atOnce;
    private final IntFunction<Future<Future<Void>>> step;
    private final Promise<Void> done = Promise.promise();
    private int next;
    private int active;
    private boolean stepping;
    private @Nullable Throwable failure;

    Steps(int count, int atOnce, IntFunction<Future<Future<Void>>> step) {
      this.count = count;
      this.atOnce = atOnce;
      this.step = step;
    }

    Future<Void> start() {
      advance();
      return done.future();
    }

    private void advance() {
      int number;
      Throwable cause;
      synchronized (this) {
        if (stepping || active == atOnce) {
          return;
        }
        cause = failure;
        boolean last = cause != null || next == count;
        if (last && active > 0) {
          return;
        }
        number = last ? count : next++;
        if (!last) {
          active++;
          stepping = true;
        }
      }
      if (number == count) {
        end(cause);
      } else {
        step.apply(number).onComplete(this::started);
      }
    }

    private void started(AsyncResult<Future<Void>> started) {
      synchronized (this) {
        stepping = false;
      }
      if (started.failed()) {
        ended(started.cause());
      } else {
        started.result().onComplete(work -> ended(work.cause()));
        advance();
      }
    }

    private void ended(@Nullable Throwable cause) {
      synchronized (this) {
        active--;
        if (failure == null) {
          failure = cause;
        }
      }
      advance();
    }

    private void end(@Nullable Throwable cause) {
      if (cause == null) {
        done.tryComplete();
      } else {
        done.tryFail(cause);
      }
    }
  }
}
