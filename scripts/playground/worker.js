// Runs the program of bourse.wasm on the files in memory, a command line at a time. It is
// told {module, files}, then {id, argv}, and answers {id, code, out, said} with what the
// program printed, {id, progress} in between, or {id, failed} when the program broke down;
// {id, take} asks for a file, {id, longest} for the job of a run that waited longest.
"use strict";

importScripts("fs.js", "wasm_exec.js");

let module, running, out, said;
const text = { 1: new TextDecoder(), 2: new TextDecoder() };

globalThis.fs = new MemoryFS((fd, bytes) => {
  const words = text[fd].decode(bytes, { stream: true });
  if (fd === 1) out += words;
  else if (words.startsWith("\r\x1b[K")) postMessage({ id: running, progress: words.slice(4) });
  else said += words;
});
globalThis.path = { resolve };
globalThis.process = { ...globalThis.process, cwd: () => "/", chdir() {}, pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0 };

async function run(id, argv) {
  [running, out, said] = [id, "", ""];
  fs.begin();
  const go = new Go();
  let code = 0;
  go.argv = argv;
  go.env = { HOME: "/", TMPDIR: "/tmp", GOGC: "200", ZONEINFO: "/zoneinfo.zip" };
  go.exit = (c) => {
    code = c;
    for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer); // they would wake a program that is gone
  };
  const began = performance.now();
  await go.run(await WebAssembly.instantiate(module, go.importObject));
  return { id, code, out, said, ms: performance.now() - began };
}

// longest finds the job that waited longest in a run's records.
function longest(path) {
  const lines = new TextDecoder().decode(fs.take(path)).split("\n");
  const wait = lines[0].split(",").indexOf("wait_s");
  let job = "", most = -1;
  for (const line of lines.slice(1)) {
    const cells = line.includes('"') ? [] : line.split(",");
    if (Number(cells[wait]) > most) [job, most] = [cells[0], Number(cells[wait])];
  }
  return job;
}

// Commands run one after the other: each waits for the one before.
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(async () => {
    const { id } = data;
    try {
      if (data.module) {
        module = data.module;
        for (const [name, blob] of data.files) fs.put(name, blob);
      } else if (data.argv) postMessage(await run(id, data.argv));
      else if (data.take) postMessage({ id, blob: new Blob([fs.take(data.take)]) });
      else if (data.longest) postMessage({ id, job: longest(data.longest) });
    } catch (err) {
      postMessage({ id, failed: `${said ?? ""}${err.message ?? err}` });
    }
  });
};
