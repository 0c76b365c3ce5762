import { For, type JSX, Show } from 'solid-js'
import { st } from '../../../../language/settings-language.js'
import { channelOf } from '../../../../state/channels.js'
import { type Chat, useChat } from '../../../chat.js'
import { dateText } from '../../../moment-text.js'
import { nameOf } from '../../../names.js'
import { eventTitle } from './audit-events.js'

type Fields = Readonly<Record<string, unknown>>

/** A change as `GET /realm/audit_log` lists it; the time in UNIX seconds. */
export interface ListedChange {
  readonly id: number
  readonly time: number
  readonly actor_id: number | null
  readonly operator: string
  readonly address: string
  readonly event: string
  readonly subject: Fields
  readonly before: Fields | null
  readonly after: Fields | null
}

/** Who changed what, and when; the values before and after. */
export function AuditEntry(props: { entry: ListedChange }): JSX.Element {
  const chat = useChat()
  const time = () => dateText(chat.state, props.entry.time * 1000)
  return (
    <li class="audit-entry">
      <strong dir="auto">
        {[eventTitle(props.entry.event), subjectText(chat, props.entry.subject)].filter(Boolean).join(': ')}
      </strong>
      <small class="quiet">
        {[time(), actorText(chat, props.entry), props.entry.address].filter(Boolean).join(' · ')}
      </small>
      <Differences before={props.entry.before ?? {}} after={props.entry.after ?? {}} />
    </li>
  )
}

function Differences(props: { before: Fields; after: Fields }): JSX.Element {
  const names = () => [...new Set([...Object.keys(props.before), ...Object.keys(props.after)])].filter(isChosen)
  return (
    <Show when={names().length > 0}>
      <dl class="audit-fields">
        <For each={names()}>
          {name => (
            <div>
              <dt>{name}</dt>
              <dd dir="auto">
                {[props.before[name], props.after[name]]
                  .filter(value => value !== undefined)
                  .map(valueText)
                  .join(' → ')}
              </dd>
            </div>
          )}
        </For>
      </dl>
    </Show>
  )
}

/** HTML follows from the text, which is there, too. */
const isChosen = (name: string): boolean => !name.startsWith('rendered_')

const valueText = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value)

const actorText = ({ state }: Chat, { actor_id, operator }: ListedChange): string =>
  actor_id === null ? operator || st('audit.server') : nameOf(state, actor_id)

/** Users and channels by their names, everything else by its ids. */
function subjectText({ state }: Chat, subject: Fields): string {
  const words = Object.entries(subject).map(([name, value]) => {
    if (name === 'user_id') return nameOf(state, Number(value))
    const channel = name === 'stream_id' ? channelOf(state, Number(value)) : undefined
    return channel ? `#${channel.name}` : `${name} ${JSON.stringify(value)}`
  })
  return words.join(', ')
}
