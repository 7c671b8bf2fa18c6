// Runs a program for WASI in node: `node wasi.mjs <program> [arguments]`.
import { readFile } from "node:fs/promises";
import { argv, env } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2), env });
const program = await WebAssembly.compile(await readFile(argv[2]));
wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
