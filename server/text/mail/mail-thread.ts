import { parentPort } from 'node:worker_threads'
import type { ToMailThread } from './mail-reader.js'
import { readMail } from './read-mail.js'

// What the thread of mail-reader.ts runs.

parentPort?.on('message', async ({ source, options }: ToMailThread) => {
  // A failure ends the thread: the next mail gets another one.
  parentPort?.postMessage(await readMail(source, options))
})
