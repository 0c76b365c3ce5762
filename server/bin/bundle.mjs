// Bundles the compiled program into dist/bundle/server: node server/bin/bundle.mjs
// A worker then reads a few files in place of 860 of the program and those of its packages, and starts with less CPU time.
// Function names stay, so a stack in the log is readable.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { withSharedClasses } from './object-spread.mjs'
import { patched } from './patches.mjs'
import { bundle, dist } from './prepare.mjs'

// The program, and the threads that it starts by the name of their file.
const entries = ['main', 'text/render-thread', 'monitor/hang-thread']

// Not bundled: packages that contain native code or load files of their own.
const external = ['@aws-sdk/client-s3', '@node-rs/argon2', 'msgpackr', 'pino', 'pino-pretty', 'sharp', 'uWebSockets.js']

rmSync(bundle, { recursive: true, force: true })
await build({
  input: entries.map(entry => join(dist, 'server', `${entry}.js`)),
  platform: 'node',
  external: id => external.some(name => id === name || id.startsWith(`${name}/`)),
  logLevel: 'warn',
  plugins: [{ name: 'patches', transform: patched, renderChunk: withSharedClasses }],
  output: { dir: bundle, format: 'esm', minify: false, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
})
