// A file system in memory for Go's wasm_exec.js: the calls of Node's fs that Go's syscall
// package makes, each answered at once. Files given by the visitor (Blob) are read a block
// at a time and never held whole.
"use strict";

const O = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
const BLOCK = 4 << 20; // of a Blob that is read at a time

class MemoryFS {
  constructor(print) {
    this.constants = O;
    this.print = print; // print(fd, bytes) for standard output and error
    this.inodes = 2;
    this.nodes = new Map([["/", this.node(0o40777)], ["/tmp", this.node(0o40777)]]);
    this.begin();
    for (const name of ["open", "close", "read", "write", "stat", "fstat", "mkdir", "readdir", "rename", "unlink", "rmdir"]) {
      const call = this["$" + name];
      this[name] = (...args) => {
        const done = args.pop();
        let result;
        try { result = call.apply(this, args); } catch (err) {
          if (err instanceof RangeError) err = fault("ENOSPC"); // no memory for a file
          else if (err instanceof DOMException) err = fault("EIO"); // the visitor's file has gone
          else if (!err.code) throw err;
          return done(err);
        }
        done(null, result);
      };
    }
    this.lstat = this.stat;
    this.fsync = (fd, done) => done(null);
    for (const name of ["chmod", "fchmod", "chown", "fchown", "lchown", "truncate", "ftruncate", "utimes", "link", "symlink", "readlink"]) this[name] = (...args) => args.pop()(fault("ENOSYS"));
  }

  // begin forgets the open files of a program that has ended.
  begin() {
    const stream = (mode) => ({ node: this.node(mode), at: 0 });
    this.open_ = [stream(0o10600), stream(0o10600), stream(0o20600)]; // standard error is a terminal: it shows progress
  }

  node(mode, more) { return { ino: this.inodes++, mode, size: 0, data: new Uint8Array(0), time: Date.now(), ...more }; }

  // put makes a file of a Blob; take returns a file's bytes, or undefined.
  put(path, blob) { this.nodes.set(resolve(path), this.node(0o100444, { blob, size: blob.size })); }
  take(path) {
    const n = this.nodes.get(resolve(path));
    return n && n.data.subarray(0, n.size);
  }

  find(path) {
    const n = this.nodes.get(resolve(path));
    if (!n) throw fault("ENOENT");
    return n;
  }
  file(fd) {
    if (!this.open_[fd]) throw fault("EBADF");
    return this.open_[fd];
  }

  $open(path, flags) {
    path = resolve(path);
    let n = this.nodes.get(path);
    if (n && flags & O.O_CREAT && flags & O.O_EXCL) throw fault("EEXIST");
    if (n && isDir(n) && flags & 3) throw fault("EISDIR");
    if (n?.blob && flags & 3) throw fault("EACCES");
    if (n && !isDir(n) && flags & O.O_DIRECTORY) throw fault("ENOTDIR");
    if (!n) {
      if (!(flags & O.O_CREAT)) throw fault("ENOENT");
      if (!isDir(this.find(parent(path)))) throw fault("ENOTDIR");
      this.nodes.set(path, n = this.node(0o100666));
    }
    if (flags & O.O_TRUNC) n.size = 0;
    let fd = this.open_.indexOf(undefined);
    if (fd < 0) fd = this.open_.length;
    this.open_[fd] = { node: n, at: 0, path, append: !!(flags & O.O_APPEND) };
    return fd;
  }
  $close(fd) {
    this.file(fd);
    this.open_[fd] = undefined;
  }
  $read(fd, buffer, offset, length, position) {
    const f = this.file(fd), n = f.node, from = position ?? f.at;
    if (isDir(n)) throw fault("EISDIR");
    const size = Math.max(0, Math.min(length, n.size - from));
    let done = 0;
    while (done < size) {
      const part = n.blob ? this.block(f, from + done) : n.data.subarray(from + done, n.size);
      const some = part.subarray(0, size - done);
      buffer.set(some, offset + done);
      done += some.length;
    }
    if (position === null) f.at += size;
    return size;
  }
  // block returns the bytes of a Blob from a place to the end of its block.
  block(f, at) {
    const start = at - at % BLOCK;
    if (f.start !== start) {
      f.bytes = new Uint8Array(new FileReaderSync().readAsArrayBuffer(f.node.blob.slice(start, start + BLOCK)));
      f.start = start;
    }
    return f.bytes.subarray(at - start);
  }
  $write(fd, buffer, offset, length, position) {
    const bytes = buffer.subarray(offset, offset + length);
    if (fd < 3) {
      this.print(fd, bytes);
      return length;
    }
    const f = this.file(fd), n = f.node, from = f.append ? n.size : position ?? f.at;
    this.grow(n, from + length);
    n.data.set(bytes, from);
    n.time = Date.now();
    if (position === null) f.at = from + length;
    return length;
  }
  writeSync(fd, bytes) { // the runtime's last words
    this.print(fd, bytes);
    return bytes.length;
  }
  grow(n, size) {
    if (size > n.data.length) {
      const more = new Uint8Array(Math.max(size, 2 * n.data.length, 4096));
      more.set(n.data.subarray(0, n.size));
      n.data = more;
    }
    n.size = Math.max(n.size, size);
  }
  $stat(path) { return status(this.find(path)); }
  $fstat(fd) { return status(this.file(fd).node); }
  $mkdir(path) {
    path = resolve(path);
    if (this.nodes.has(path)) throw fault("EEXIST");
    if (!isDir(this.find(parent(path)))) throw fault("ENOTDIR");
    this.nodes.set(path, this.node(0o40777));
  }
  $readdir(path) {
    path = resolve(path);
    if (!isDir(this.find(path))) throw fault("ENOTDIR");
    return [...this.nodes.keys()].filter((p) => p !== "/" && parent(p) === path).map((p) => p.slice(p.lastIndexOf("/") + 1)).sort();
  }
  $rename(from, to) {
    from = resolve(from);
    to = resolve(to);
    const n = this.find(from);
    this.find(parent(to));
    if (isDir(n)) throw fault("ENOSYS");
    this.nodes.delete(from);
    this.nodes.set(to, n);
  }
  $unlink(path) {
    if (isDir(this.find(path))) throw fault("EISDIR");
    this.nodes.delete(resolve(path));
  }
  $rmdir(path) {
    if (this.$readdir(path).length) throw fault("ENOTEMPTY");
    this.nodes.delete(resolve(path));
  }
}

function fault(code) { return Object.assign(new Error(code), { code }); }
function isDir(n) { return (n.mode & 0o170000) === 0o40000; }
function parent(path) { return path.slice(0, path.lastIndexOf("/")) || "/"; }
function resolve(...parts) {
  const out = [];
  for (const p of parts.join("/").split("/")) {
    if (p === "..") out.pop();
    else if (p && p !== ".") out.push(p);
  }
  return "/" + out.join("/");
}
function status(n) {
  return { dev: 1, ino: n.ino, mode: n.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: n.size, blksize: 4096,
    blocks: Math.ceil(n.size / 512), atimeMs: n.time, mtimeMs: n.time, ctimeMs: n.time, isDirectory: () => isDir(n) };
}
