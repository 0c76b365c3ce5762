import { constants, setPriority } from 'node:os'
import { budgets } from '../config/budgets.js'
import { readMessages, sendMessage } from './decoder-channel.js'
import { draw } from './draw.js'
import type { DrawReply, DrawRequest, Failure } from './drawing.js'
import { Undecodable } from './read-header.js'

// The program that decodes pictures for one worker (decoder-process.ts): one picture after the other, from standard input to standard output.

// Less than the time in which a decoder allocates as much as its limit leaves.
const watchMs = 25
const mostMessageBytes = 2 ** 26
const worker = process.ppid

// Workers and databases come first. A signal for the whole group of processes is meant for the worker, which finishes its requests.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

for await (const { head, bytes } of readMessages(process.stdin, mostMessageBytes)) {
  const watch = watchUse()
  const drawn = await draw(bytes, (head as DrawRequest).drawing).catch(failureOf)
  const ending = watch.stop()
  if (ending) {
    await ending
    break
  }
  if (typeof drawn === 'string') await reply({ failure: drawn })
  else await reply({ header: drawn.header, sizes: drawn.made.map(one => one.length) }, drawn.made)
}
end()

/** The library has plain errors only: whatever it cannot read is no picture for this server. */
function failureOf(error: unknown): Failure {
  return error instanceof Undecodable ? error.failure : 'bad'
}

function reply(head: DrawReply, made?: readonly Buffer[]): Promise<void> {
  return sendMessage(process.stdout, head, made)
}

/**
 * Ends the process when a picture takes more memory or processor time than one may. `stop` ends the watch; if the process is about to end,
 * it returns a promise that resolves when the reason has been sent.
 */
function watchUse(): { stop(): Promise<void> | undefined } {
  const before = process.cpuUsage()
  let ending: Promise<void> | undefined
  const timer = setInterval(() => {
    // The end of the input would be seen only after the picture.
    if (process.ppid !== worker) end()
    const { user, system } = process.cpuUsage(before)
    const isTooLarge = process.memoryUsage.rss() > budgets.pictureMemory.most
    if (!isTooLarge && (user + system) / 1000 <= budgets.pictureCpuMs.most) return
    clearInterval(timer)
    ending = reply({ failure: isTooLarge ? 'memory' : 'time' })
    void ending.then(end)
  }, watchMs)
  return {
    stop() {
      clearInterval(timer)
      return ending
    },
  }
}

/** Ends at once: `process.exit` would wait for the thread that decodes. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
