import { createMemo, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { Icon } from '../look/icon.js'
import { Mark } from '../look/mark.js'
import type { Session } from '../look/session.js'
import { createTheme, type Theme } from '../look/theme.js'
import { ask } from './ask.js'
import { Chart } from './chart.js'
import { short } from './format.js'
import { History } from './history.js'
import { panels } from './panels.js'
import type { Point } from './point.js'
import { Snapshot, type Source } from './snapshot.js'
import { WorkerTable } from './worker-table.js'

const everyMs = 1000
const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const themeIcon = { system: 'screen', light: 'sun', dark: 'moon' } as const

/** Live figures of all workers, or of one of them. */
export function Board(props: { session: Session; signedOut(): void; refused(): void }): JSX.Element {
  const history = new History()
  const [turn, setTurn] = createSignal(0)
  const [trouble, setTrouble] = createSignal('')
  const [source, setSource] = createSignal<Source>('all')
  const { theme, setTheme, isDark } = createTheme()

  onMount(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = async () => {
      const asked = await ask(props.session)
      if (isOver) return
      if (asked.kind === 'signed-out') return props.signedOut()
      if (asked.kind === 'refused') return props.refused()
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
  const workers = () => latest()?.workers.map(({ worker }) => worker) ?? []
  const shown = createMemo(() => (turn() >= 0 ? history.of(source()) : { times: [], points: [] }))
  const now = (): Point => shown().points.at(-1) ?? {}
  const whole = createMemo(() => {
    const data = latest()
    return data && Snapshot.of(data, 'all')
  })
  const rows = () =>
    (latest()?.workers ?? []).map(({ worker }) => {
      const data = latest()
      const started = data && Snapshot.of(data, worker)?.value('parley_start_time_seconds')
      const age = data && started !== undefined ? data.time / 1000 - started : 0
      return { worker, age, point: history.of(worker).points.at(-1) ?? {} }
    })
  const silent = () => (whole()?.value('parley_workers') ?? 0) - (whole()?.value('parley_workers_answered') ?? 0)
  const state = (): { mood: string; text: string } => {
    if (trouble()) return { mood: 'bad', text: 'Out of reach' }
    if (!latest()) return { mood: '', text: 'Asking …' }
    if (whole()?.value('parley_postgres_up') === 0) return { mood: 'bad', text: 'PostgreSQL is away' }
    if (whole()?.value('parley_redis_up') === 0) return { mood: 'bad', text: 'Redis is away' }
    if (silent() > 0)
      return { mood: 'warn', text: silent() === 1 ? 'A worker is silent' : `${silent()} workers are silent` }
    return { mood: 'good', text: 'All is well' }
  }

  return (
    <div class="board">
      <header class="top">
        <a class="home" href="/" title="To the chat">
          <Mark size={30} />
        </a>
        <h1>Status</h1>
        <span class={`state ${state().mood}`} role="status">
          {state().text}
        </span>
        <div class="space" />
        <fieldset class="sources">
          <legend class="unseen">Whose figures</legend>
          <For each={['all', ...workers()]}>
            {one => (
              <button type="button" aria-pressed={source() === one} onClick={() => setSource(one)}>
                {one === 'all' ? 'All workers' : one}
              </button>
            )}
          </For>
        </fieldset>
        <button
          type="button"
          class="icon-button"
          title={`Colours: ${theme()}`}
          aria-label={`Colours: ${theme()}`}
          onClick={() => setTheme(nextTheme[theme()])}
        >
          <Icon name={themeIcon[theme()]} />
        </button>
      </header>
      <Show when={trouble()}>
        <p class="notice bad" role="alert">
          {trouble()} What is below is as it was; this page goes on asking.
        </p>
      </Show>
      <main>
        <dl class="tiles">
          <Tile name="Sockets" value={now().sockets} />
          <Tile name="Queues" value={now().queues} />
          <Tile name="Events in" value={now().eventsIn} unit="/s" />
          <Tile name="Events out" value={now().eventsOut} unit="/s" />
          <Tile name="Delay p50" value={now().delay50} unit="ms" />
          <Tile name="Delay p99" value={now().delay99} unit="ms" />
          <Tile name="Outbox" value={whole()?.value('parley_outbox_rows')} unit="rows" />
          <Tile name="Memory" value={now().resident} unit="MiB" />
        </dl>
        <div class="panels">
          <For each={panels}>
            {panel => (
              <Chart panel={panel} times={shown().times} points={shown().points} look={`${theme()} ${isDark()}`} />
            )}
          </For>
        </div>
        <WorkerTable rows={rows()} />
        <p class="foot">
          <span>Messages sent: {short(whole()?.value('parley_messages_sent_total') ?? 0)}</span>
          <span>Workers started again: {short(whole()?.value('parley_worker_restarts_total') ?? 0)}</span>
          <span>Queues lost: {short(whole()?.value('parley_queues_lost_total') ?? 0)}</span>
          <span>Five minutes, a point a second. Longer: Prometheus reads the same figures from /metrics.</span>
        </p>
      </main>
    </div>
  )
}

function Tile(props: { name: string; value: number | undefined; unit?: string }): JSX.Element {
  return (
    <div class="tile card">
      <dt>{props.name}</dt>
      <dd>
        {props.value === undefined ? '–' : short(props.value)} <small>{props.unit}</small>
      </dd>
    </div>
  )
}
