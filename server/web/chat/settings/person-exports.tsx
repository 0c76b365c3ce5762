import { type JSX, Show } from 'solid-js'
import type { UserExport } from '../../../../shared/resources/realm-export.js'
import { st } from '../../language/settings-language.js'
import { useChat } from '../chat.js'
import { useSaving } from '../dialogs/saving.js'
import { createExports, ExportList } from './export-list.js'

/** The exports of one person's data, and a button for a new one. Inside of an `Entry`. */
export function PersonExports(props: { userId: number }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const exports = createExports<UserExport>(`/users/${props.userId}/exports`)
  const isOwn = () => props.userId === chat.state.user_id
  const isPending = () => (exports.present()?.progress.length ?? 0) > 0
  const request = async () => {
    if (await save('POST', exports.path, {})) exports.refetch()
  }
  return (
    <>
      <p class="quiet">{isOwn() ? st('exports.ownMeaning') : st('exports.personMeaning')}</p>
      <p>
        <button type="button" class="button" disabled={isPending()} onClick={() => void request()}>
          {st('exports.requestPerson')}
        </button>
      </p>
      <Show when={exports.error() || exports.present()?.exports.length}>
        <ExportList exports={exports} titleOf={() => (isOwn() ? st('exports.yourData') : st('exports.ofPerson'))} />
      </Show>
    </>
  )
}
