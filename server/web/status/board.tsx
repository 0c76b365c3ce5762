import { createMemo, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { language, t } from '../language/language.js'
import { IconButton } from '../look/icon-button.js'
import { Mark } from '../look/mark.js'
import { createTheme, type Theme } from '../look/theme.js'
import type { Session } from '../sign-in/session.js'
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
    if (trouble()) return { mood: 'bad', text: t('status.away') }
    if (!latest()) return { mood: '', text: t('status.asking') }
    if (whole()?.value('parley_postgres_up') === 0) return { mood: 'bad', text: t('status.postgresAway') }
    if (whole()?.value('parley_redis_up') === 0) return { mood: 'bad', text: t('status.redisAway') }
    if (silent() > 0) return { mood: 'warn', text: t('status.silent', silent()) }
    return { mood: 'good', text: t('status.well') }
  }

  return (
    <div class="board">
      <header class="top">
        <a class="home" href="/" title={t('status.toChat')}>
          <Mark size={30} />
        </a>
        <h1>{t('status.title')}</h1>
        <span class={`state ${state().mood}`} role="status">
          {state().text}
        </span>
        <div class="space" />
        <fieldset class="sources">
          <legend class="unseen">{t('status.whose')}</legend>
          <For each={['all', ...workers()]}>
            {one => (
              <button type="button" aria-pressed={source() === one} onClick={() => setSource(one)}>
                {one === 'all' ? t('status.allWorkers') : one}
              </button>
            )}
          </For>
        </fieldset>
        <IconButton
          icon={themeIcon[theme()]}
          label={t('status.colours', t(`status.theme.${theme()}`))}
          work={() => setTheme(nextTheme[theme()])}
        />
      </header>
      <Show when={trouble()}>
        <p class="notice bad" role="alert">
          {t('status.asItWas', trouble())}
        </p>
      </Show>
      <main>
        <dl class="tiles">
          <Tile name={t('status.sockets')} value={now().sockets} />
          <Tile name={t('status.queues')} value={now().queues} />
          <Tile name={t('status.eventsIn')} value={now().eventsIn} unit="/s" />
          <Tile name={t('status.eventsOut')} value={now().eventsOut} unit="/s" />
          <Tile name={t('status.delay50')} value={now().delay50} unit="ms" />
          <Tile name={t('status.delay99')} value={now().delay99} unit="ms" />
          <Tile name={t('status.outbox')} value={whole()?.value('parley_outbox_rows')} unit={t('status.rows')} />
          <Tile name={t('status.memory')} value={now().resident} unit="MiB" />
        </dl>
        <div class="panels">
          <For each={panels}>
            {panel => (
              <Chart
                panel={panel}
                times={shown().times}
                points={shown().points}
                look={`${theme()} ${isDark()} ${language()}`}
              />
            )}
          </For>
        </div>
        <WorkerTable rows={rows()} />
        <p class="foot">
          <span>{t('status.messagesSent', short(whole()?.value('parley_messages_sent_total') ?? 0))}</span>
          <span>{t('status.restarts', short(whole()?.value('parley_worker_restarts_total') ?? 0))}</span>
          <span>{t('status.queuesLost', short(whole()?.value('parley_queues_lost_total') ?? 0))}</span>
          <span>{t('status.foot')}</span>
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
