import { createMemo, createSignal, onCleanup, onMount } from 'solid-js'
import { ask } from './ask.js'
import { History } from './history.js'
import { Snapshot, type Source } from './snapshot.js'
import type { WorkerRow } from './worker-table.js'

const everyMs = 1000

interface Ends {
  signedOut(): void
  refused(): void
}

/** The figures of all workers, asked every second while the component is there. */
export function createFigures(ends: Ends) {
  const history = new History()
  const [turn, setTurn] = createSignal(0)
  const [trouble, setTrouble] = createSignal('')
  onMount(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = async () => {
      const asked = await ask()
      if (isOver) return
      if (asked.kind === 'signed-out') return ends.signedOut()
      if (asked.kind === 'refused') return ends.refused()
      if (asked.kind === 'data') history.add(asked.data)
      setTrouble(asked.kind === 'away' ? asked.why : '')
      setTurn(turn() + 1)
      timer = setTimeout(next, everyMs)
    }
    void next()
    onCleanup(() => {
      isOver = true
      clearTimeout(timer)
    })
  })
  const latest = createMemo(() => (turn() >= 0 ? history.latest : undefined))
  const whole = createMemo(() => {
    const data = latest()
    return data && Snapshot.of(data, 'all')
  })
  const workers = () => latest()?.workers.map(({ worker }) => worker) ?? []
  const rowOf = (worker: string): WorkerRow => {
    const data = latest()
    const started = data && Snapshot.of(data, worker)?.value('parley_start_time_seconds')
    const age = data && started !== undefined ? data.time / 1000 - started : 0
    return { worker, age, point: history.of(worker).points.at(-1) ?? {} }
  }
  return {
    /** Why the last request failed; empty: it did not. */
    trouble,
    workers,
    /** The latest figures of all workers together. */
    whole,
    rows: () => workers().map(rowOf),
    /** The figures of the last minutes. */
    of: (source: Source) => (turn() >= 0 ? history.of(source) : { times: [], points: [] }),
  }
}
