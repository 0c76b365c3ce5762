import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { language, t } from '../language/language.js'
import { IconButton } from '../look/icon-button.js'
import { Mark } from '../look/mark.js'
import { createTheme, type Theme } from '../look/theme.js'
import { Chart } from './chart.js'
import { createFigures } from './figures.js'
import { short } from './format.js'
import { moodOf } from './mood.js'
import { panels } from './panels.js'
import type { Point } from './point.js'
import type { Source } from './snapshot.js'
import { WorkerTable } from './worker-table.js'

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const themeIcon = { system: 'screen', light: 'sun', dark: 'moon' } as const

/** Live figures of all workers, or of one of them. */
export function Board(props: { signedOut(): void; refused(): void }): JSX.Element {
  const { trouble, workers, whole, rows, of } = createFigures(props)
  const [source, setSource] = createSignal<Source>('all')
  const { theme, setTheme, isDark } = createTheme()
  const shown = createMemo(() => of(source()))
  const mood = () => moodOf(trouble() !== '', whole())
  return (
    <div class="board">
      <header class="top">
        <a class="home" href="/" title={t('status.toChat')}>
          <Mark size={30} />
        </a>
        <h1>{t('status.title')}</h1>
        <span class={`state ${mood().mood}`} role="status">
          {mood().text}
        </span>
        <div class="space" />
        <Sources workers={workers()} source={source()} choose={setSource} />
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
        <Tiles now={shown().points.at(-1) ?? {}} outboxRows={whole()?.value('parley_outbox_rows')} />
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

interface SourcesProps {
  readonly workers: readonly string[]
  readonly source: Source
  choose(source: Source): void
}

/** Whose figures are shown: those of all workers, or of one. */
function Sources(props: SourcesProps): JSX.Element {
  return (
    <fieldset class="sources">
      <legend class="unseen">{t('status.whose')}</legend>
      <For each={['all', ...props.workers]}>
        {one => (
          <button type="button" aria-pressed={props.source === one} onClick={() => props.choose(one)}>
            {one === 'all' ? t('status.allWorkers') : one}
          </button>
        )}
      </For>
    </fieldset>
  )
}

function Tiles(props: { now: Point; outboxRows: number | undefined }): JSX.Element {
  return (
    <dl class="tiles">
      <Tile name={t('status.sockets')} value={props.now.sockets} />
      <Tile name={t('status.queues')} value={props.now.queues} />
      <Tile name={t('status.eventsIn')} value={props.now.eventsIn} unit="/s" />
      <Tile name={t('status.eventsOut')} value={props.now.eventsOut} unit="/s" />
      <Tile name={t('status.delay50')} value={props.now.delay50} unit="ms" />
      <Tile name={t('status.delay99')} value={props.now.delay99} unit="ms" />
      <Tile name={t('status.outbox')} value={props.outboxRows} unit={t('status.rows')} />
      <Tile name={t('status.memory')} value={props.now.resident} unit="MiB" />
    </dl>
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
