import { parentPort } from 'node:worker_threads'
import { renderSlowParts } from './render-slow-parts.js'

// What a thread of render-threads.ts runs.

// KaTeX warns of characters that its fonts lack, which would mix with the log lines of the process.
console.warn = () => {}

parentPort?.on('message', parts => parentPort?.postMessage(renderSlowParts(parts)))
