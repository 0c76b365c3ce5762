import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { UserGroup } from '../../../../../shared/events/client-state.js'
import { t } from '../../../language/language.js'
import { SearchField } from '../../../look/search-field.js'
import { bestMatches } from '../../../state/completion.js'
import { mayCreateGroups } from '../../../state/group-permissions.js'
import { namedGroups } from '../../../state/holders.js'
import { withSubgroups } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { useView } from '../../view.js'
import { Dialog } from '../dialog.js'
import { SavingNews } from '../saving-news.js'
import { OwnMembership } from './own-membership.js'

const shownAtMost = 100

/** The groups that people made, to open and join them. */
export function GroupList(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [words, setWords] = createSignal('')
  const found = createMemo(() => bestMatches(namedGroups(chat.state), group => group.name, words(), Infinity))
  return (
    <Dialog title={t('userGroups.title')}>
      <div class="dialog-bar">
        <SearchField label={t('userGroups.find')} isFirst typed={words => setWords(words.trim())} />
        <Show when={mayCreateGroups(chat.state)}>
          <button
            type="button"
            class="button"
            aria-label={t('userGroups.create')}
            onClick={() => view.open({ group: 'new' })}
          >
            {t('channels.create')}
          </button>
        </Show>
      </div>
      <SavingNews />
      <ul class="choices" aria-label={t('userGroups.title')}>
        <For
          each={found().slice(0, shownAtMost)}
          fallback={<li class="quiet">{words() === '' ? t('userGroups.none') : t('jump.nothing')}</li>}
        >
          {group => <Row group={group} />}
        </For>
      </ul>
      <Show when={found().length > shownAtMost}>
        <p class="quiet">{t('channel.andMore', found().length - shownAtMost)}</p>
      </Show>
    </Dialog>
  )
}

function Row(props: { group: UserGroup }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const count = createMemo(() => {
    const ids = new Set<number>()
    // Each list is watched as a whole, because watching each of ten thousand members would cost more than counting them.
    for (const { members } of withSubgroups(chat.state, props.group.id)) for (const id of unwrap(members)) ids.add(id)
    return ids.size
  })
  return (
    <li class="choice">
      <button type="button" class="choice-main" onClick={() => view.open({ group: props.group.id })}>
        <span class="group-sign">@</span>
        <span class="choice-words">
          <strong dir="auto">{props.group.name}</strong>
          <small dir="auto">
            {[t('userGroups.members', count()), props.group.description].filter(Boolean).join(' · ')}
          </small>
        </span>
      </button>
      <OwnMembership group={props.group} />
    </li>
  )
}
