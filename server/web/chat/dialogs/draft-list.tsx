import { For, type JSX, Show } from 'solid-js'
import type { Draft } from '../../../../shared/resources/draft.js'
import { t } from '../../language/language.js'
import { placeOfDraft } from '../../state/drafts.js'
import { useChat } from '../chat.js'
import { placeName } from '../names.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

/** The user's drafts on all devices, newest first. */
export function DraftList(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const open = (draft: Draft) => {
    const place = placeOfDraft(chat.state, draft)
    if (!place) return
    view.go('direct' in place ? { kind: 'direct', key: place.direct } : { kind: 'topic', ...place })
    view.open(undefined)
    view.focusComposer()
  }
  const remove = (draft: Draft) => chat.ask('DELETE', `/drafts/${draft.id}`).catch(chat.sayFailure)
  const nameOfPlace = (draft: Draft) => {
    const place = placeOfDraft(chat.state, draft)
    return place ? placeName(chat.state, place) : t('drafts.noRecipient')
  }
  return (
    <Dialog title={t('drafts.title')}>
      <ul class="choices" aria-label={t('drafts.title')}>
        <For each={chat.state.drafts} fallback={<li class="quiet">{t('drafts.none')}</li>}>
          {draft => (
            <li class="choice setting-row">
              <span class="choice-words">
                <strong dir="auto">{nameOfPlace(draft)}</strong>
                <span class="draft-text" dir="auto">
                  {draft.content}
                </span>
              </span>
              <Show when={placeOfDraft(chat.state, draft)}>
                <button
                  type="button"
                  class="button"
                  aria-label={t('drafts.open', nameOfPlace(draft))}
                  onClick={() => open(draft)}
                >
                  {t('words.open')}
                </button>
              </Show>
              <button
                type="button"
                class="button"
                aria-label={t('drafts.delete', nameOfPlace(draft))}
                onClick={() => void remove(draft)}
              >
                {t('words.delete')}
              </button>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  )
}
