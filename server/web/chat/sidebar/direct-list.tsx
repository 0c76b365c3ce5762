import { createMemo, For, type JSX, Show } from 'solid-js'
import { peopleOf } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { ConversationFaces } from '../avatar.js'
import { useChat } from '../chat.js'
import { conversationName } from '../names.js'
import { StatusSign } from '../status-sign.js'
import { useView } from '../view.js'
import { Count } from './count.js'
import { ViewLink } from './view-link.js'

const shownAtMost = 15

/** Direct conversations, the newest first; those with unread messages whatever their age. */
export function DirectList(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const openKey = () => {
    const narrow = view.narrow()
    return narrow?.kind === 'direct' ? narrow.key : undefined
  }
  const keys = createMemo(() => {
    const { recent_private_conversations: conversations, unread_msgs: unread } = chat.state
    const known = new Set([...Object.keys(conversations), ...Object.keys(unread.direct)])
    const open = openKey()
    if (open) known.add(open)
    const newest = (key: string) => Math.max(conversations[key] ?? 0, unread.direct[key]?.at(-1) ?? 0)
    return [...known]
      .sort((a, b) => newest(b) - newest(a))
      .filter((key, index) => index < shownAtMost || unread.direct[key] || key === open)
  })
  return (
    <section aria-labelledby="direct-title">
      <div class="rows-head">
        <h2 id="direct-title">{t('sidebar.direct')}</h2>
        <IconButton
          icon="plus"
          size={16}
          label={t('sidebar.newDirect')}
          class="small"
          work={() => view.open('new-direct')}
        />
      </div>
      <ul class="rows">
        <For each={keys()}>
          {key => (
            <li class="person-place">
              <ViewLink narrow={{ kind: 'direct', key }} isOpen={openKey() === key}>
                <ConversationFaces of={key} />
                <span class="row-name" dir="auto">
                  {conversationName(chat.state, key)}
                </span>
                <Show when={peopleOf(key).length === 1}>
                  <StatusSign userId={peopleOf(key)[0] as number} />
                </Show>
                <Count of={chat.state.unread_msgs.direct[key]?.length ?? 0} />
              </ViewLink>
              <Show when={peopleOf(key).length === 1}>
                <button
                  type="button"
                  class="person-face"
                  aria-haspopup="dialog"
                  aria-label={t('sidebar.about', conversationName(chat.state, key))}
                  onClick={() => view.open({ person: peopleOf(key)[0] as number })}
                />
              </Show>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}
