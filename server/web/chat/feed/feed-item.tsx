import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { dayText, titled } from '../../language/format.js'
import { locale, t } from '../../language/language.js'
import type { Message } from '../../state/chat-state.js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { isMutedPerson } from '../../state/people.js'
import { useChat } from '../chat.js'
import { Around } from './around.js'
import type { Item } from './items.js'
import { MessageRow, type MessageRowProps } from './message-row.js'
import { PlaceBar } from './place-bar.js'
import { UnsentRow } from './unsent-row.js'

/** One entry of a feed. */
export function FeedItem(props: { item: Item; narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const at = props.item.indexOf(':')
  const kind = props.item.slice(0, at)
  const value = props.item.slice(at + 1)
  const message = () => chat.state.messages[Number(value)]
  const match = () =>
    props.narrow.kind === 'search' ? chat.state.feeds[addressOf(props.narrow)]?.matches[Number(value)] : undefined
  const search = () => (props.narrow.kind === 'search' ? props.narrow : undefined)
  return (
    <Switch>
      <Match when={kind === 'day'}>
        <div class="day-line">
          <span>{dayName(Number(value))}</span>
        </div>
      </Match>
      <Match when={kind === 'new'}>
        <div class="new-line">
          <span>{t('feed.newLine')}</span>
        </div>
      </Match>
      <Match when={kind === 'place'}>
        <Show when={message()}>{known => <PlaceBar message={known()} narrow={props.narrow} match={match()} />}</Show>
      </Match>
      <Match when={kind === 'unsent'}>
        <UnsentRow localId={value} />
      </Match>
      <Match when={kind === 'head' || kind === 'tail'}>
        <Show when={message()}>
          {known => {
            const row = () => (
              <MessageOrMuted
                message={known()}
                isHead={kind === 'head'}
                match={match()}
                opens={search() !== undefined}
              />
            )
            return (
              <Show when={search()} fallback={row()}>
                {narrow => (
                  <Around message={known()} narrow={narrow()}>
                    {row()}
                  </Around>
                )}
              </Show>
            )
          }}
        </Show>
      </Match>
    </Switch>
  )
}

/** A message; that of a muted person only after a click. */
function MessageOrMuted(props: MessageRowProps): JSX.Element {
  const chat = useChat()
  const [isRevealed, reveal] = createSignal(false)
  const isHidden = () => !isRevealed() && isMutedPerson(chat.state, props.message.sender_id)
  return (
    <Show when={!isHidden()} fallback={<MutedRow message={props.message} show={() => reveal(true)} />}>
      <MessageRow {...props} isHead={props.isHead || isMutedPerson(chat.state, props.message.sender_id)} />
    </Show>
  )
}

function MutedRow(props: { message: Message; show: () => void }): JSX.Element {
  return (
    <article class="message muted-message" data-message-id={props.message.id}>
      <p>
        {t('feed.muted')}{' '}
        <button type="button" class="link-button" onClick={() => props.show()}>
          {t('feed.show')}
        </button>
      </p>
    </article>
  )
}

function dayName(seconds: number): string {
  const day = new Date(seconds * 1000)
  const today = new Date()
  const days = Math.round(
    (new Date(today.getFullYear(), today.getMonth(), today.getDate()).getTime() - day.getTime()) / 86_400_000,
  )
  if (days === 0 || days === 1) return titled(dayText(-days))
  const year = day.getFullYear() === today.getFullYear() ? undefined : 'numeric'
  return day.toLocaleDateString(locale(), { weekday: 'long', day: 'numeric', month: 'long', year })
}
