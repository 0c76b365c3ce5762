import { For, type JSX, Show } from 'solid-js'
import type { Draft } from '../../../../shared/resources/draft.js'
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
  const remove = (draft: Draft) =>
    chat.ask('DELETE', `/drafts/${draft.id}`).catch(error => chat.say((error as Error).message, 'bad'))
  const nameOfPlace = (draft: Draft) => {
    const place = placeOfDraft(chat.state, draft)
    return place ? placeName(chat.state, place) : 'No recipient'
  }
  return (
    <Dialog title="Drafts">
      <ul class="choices" aria-label="Drafts">
        <For each={chat.state.drafts} fallback={<li class="quiet">What you write and do not send is kept here.</li>}>
          {draft => (
            <li class="choice setting-row">
              <span class="choice-words">
                <strong>{nameOfPlace(draft)}</strong>
                <span class="draft-text">{draft.content}</span>
              </span>
              <Show when={placeOfDraft(chat.state, draft)}>
                <button
                  type="button"
                  class="button"
                  aria-label={`Open the draft for ${nameOfPlace(draft)}`}
                  onClick={() => open(draft)}
                >
                  Open
                </button>
              </Show>
              <button
                type="button"
                class="button"
                aria-label={`Delete the draft for ${nameOfPlace(draft)}`}
                onClick={() => void remove(draft)}
              >
                Delete
              </button>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  )
}
