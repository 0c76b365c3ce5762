import { type JSX, Match, Show, Switch } from 'solid-js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import type { Item } from './items.js'
import { MessageRow } from './message-row.js'
import { PlaceBar } from './place-bar.js'
import { UnsentRow } from './unsent-row.js'

/** One entry of a feed. */
export function FeedItem(props: { item: Item; narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const at = props.item.indexOf(':')
  const kind = props.item.slice(0, at)
  const value = props.item.slice(at + 1)
  const message = () => chat.state.messages[Number(value)]
  return (
    <Switch>
      <Match when={kind === 'day'}>
        <div class="day-line">
          <span>{dayName(Number(value))}</span>
        </div>
      </Match>
      <Match when={kind === 'new'}>
        <div class="new-line">
          <span>New</span>
        </div>
      </Match>
      <Match when={kind === 'place'}>
        <Show when={message()}>{known => <PlaceBar message={known()} narrow={props.narrow} />}</Show>
      </Match>
      <Match when={kind === 'unsent'}>
        <UnsentRow localId={value} />
      </Match>
      <Match when={kind === 'head' || kind === 'tail'}>
        <Show when={message()}>{known => <MessageRow message={known()} isHead={kind === 'head'} />}</Show>
      </Match>
    </Switch>
  )
}

function dayName(seconds: number): string {
  const day = new Date(seconds * 1000)
  const today = new Date()
  const days = Math.round(
    (new Date(today.getFullYear(), today.getMonth(), today.getDate()).getTime() - day.getTime()) / 86_400_000,
  )
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  const year = day.getFullYear() === today.getFullYear() ? undefined : 'numeric'
  return day.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year })
}
