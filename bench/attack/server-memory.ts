import { memoryBelow } from '../lib/memory.js'

/** The most memory of a server's processes so far, looked at every second, and how many workers were replaced. */
export function watchMemory(root: number) {
  const seen = new Set<number>()
  /** In bytes: the largest worker without file pages that other programs share; all processes together. */
  const found = { mostOfWorker: 0, mostOfAll: 0, ended: 0, stop: () => clearInterval(timer) }
  const look = () => {
    const processes = memoryBelow(root)
    for (const { pid, role, bytes } of processes) {
      if (role !== 'worker') continue
      if (timer && !seen.has(pid)) found.ended++
      seen.add(pid)
      found.mostOfWorker = Math.max(found.mostOfWorker, bytes)
    }
    const all = processes.reduce((sum, { proportional }) => sum + proportional, 0)
    found.mostOfAll = Math.max(found.mostOfAll, all)
  }
  let timer: NodeJS.Timeout | undefined
  look()
  timer = setInterval(look, 1000)
  return found
}
