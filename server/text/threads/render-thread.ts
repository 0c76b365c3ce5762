import { parentPort } from 'node:worker_threads'
import { ThreadRenderer } from './thread-renderer.js'

// What a thread of render-threads.ts runs.

// KaTeX warns of characters that its fonts lack, which would mix with the log lines of the process.
console.warn = () => {}

const renderer = new ThreadRenderer()
parentPort?.on('message', message => parentPort?.postMessage(renderer.handle(message)))
