import { createMemo, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { byText, numberText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { channelOf } from '../../../state/channels.js'
import { bestMatches, rankOf } from '../../../state/completion.js'
import { suggestedPeople } from '../../../state/people-panel.js'
import { mayAddMembers, mayRemoveMembers } from '../../../state/permissions.js'
import { Avatar } from '../../avatar.js'
import { useChat } from '../../chat.js'
import { nameOf } from '../../names.js'
import { keepMembers } from '../../people/members.js'
import { useView } from '../../view.js'
import { useSaving } from '../settings/saving.js'

const shownAtMost = 100
const foundAtMost = 6

/** The members of a channel; who may, adds and removes them. */
export function ChannelMembers(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { save } = useSaving()
  const [words, setWords] = createSignal('')
  const id = createUniqueId()
  const error = keepMembers(chat, () => props.channelId)
  const channel = () => channelOf(chat.state, props.channelId)
  const mayAdd = () => mayAddMembers(chat.state, props.channelId)
  const mayRemove = (userId: number) => userId === chat.state.user_id || mayRemoveMembers(chat.state, props.channelId)
  const isOwn = (userId: number) => userId === chat.state.user_id
  const removal = (userId: number) => (isOwn(userId) ? t('words.leave') : t('words.remove'))
  const removalOf = (userId: number) =>
    t(isOwn(userId) ? 'channel.leave' : 'words.removeOne', nameOf(chat.state, userId))
  const matching = createMemo(() => {
    const members = (channel()?.subscribers ?? []).filter(
      one => words() === '' || rankOf(nameOf(unwrap(chat.state), one), words()) >= 0,
    )
    return members.sort((a, b) => byText(nameOf(unwrap(chat.state), a), nameOf(unwrap(chat.state), b)))
  })
  const addable = createMemo(() => {
    if (words() === '' || !mayAdd()) return []
    const members = new Set(channel()?.subscribers)
    const others = suggestedPeople(unwrap(chat.state)).filter(
      person => !members.has(person.user_id) && !person.is_system_bot,
    )
    return bestMatches(others, person => person.full_name, words(), foundAtMost).map(person => person.user_id)
  })
  const add = (userId: number) =>
    save('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel()?.name }], principals: [userId] })
  const remove = (userId: number) =>
    save('DELETE', '/users/me/subscriptions', { subscriptions: [channel()?.name], principals: [userId] })
  const row = (userId: number, deed: JSX.Element) => (
    <li class="choice">
      <button type="button" class="choice-main" aria-haspopup="dialog" onClick={() => view.open({ person: userId })}>
        <Avatar userId={userId} hasPresence />
        <span class="choice-words">
          <strong dir="auto">{nameOf(chat.state, userId)}</strong>
        </span>
      </button>
      {deed}
    </li>
  )
  return (
    <>
      <input
        class="input"
        type="search"
        dir="auto"
        placeholder={mayAdd() ? t('channel.findOrAdd') : t('channel.find')}
        aria-label={mayAdd() ? t('channel.findOrAdd') : t('channel.find')}
        onInput={event => setWords(event.currentTarget.value.trim())}
      />
      <Show when={error()}>
        <p class="notice bad">{error()}</p>
      </Show>
      <Show when={addable().length > 0}>
        <section aria-labelledby={`${id}-add`}>
          <h3 class="part-title" id={`${id}-add`}>
            {t('words.add')}
          </h3>
          <ul class="choices">
            <For each={addable()}>
              {userId =>
                row(
                  userId,
                  <button
                    type="button"
                    class="button"
                    aria-label={t('channel.add', nameOf(chat.state, userId))}
                    onClick={() => void add(userId)}
                  >
                    {t('words.add')}
                  </button>,
                )
              }
            </For>
          </ul>
        </section>
      </Show>
      <section aria-labelledby={`${id}-members`}>
        <h3 class="part-title" id={`${id}-members`}>
          {t('channel.members')} <span class="quiet">{numberText(channel()?.subscribers?.length ?? 0)}</span>
        </h3>
        <ul class="choices">
          <For each={matching().slice(0, shownAtMost)}>
            {userId =>
              row(
                userId,
                <Show when={mayRemove(userId)}>
                  <button
                    type="button"
                    class="button"
                    aria-label={removalOf(userId)}
                    onClick={() => void remove(userId)}
                  >
                    {removal(userId)}
                  </button>
                </Show>,
              )
            }
          </For>
        </ul>
        <Show when={matching().length > shownAtMost}>
          <p class="quiet">{t('channel.andMore', matching().length - shownAtMost)}</p>
        </Show>
      </section>
    </>
  )
}
