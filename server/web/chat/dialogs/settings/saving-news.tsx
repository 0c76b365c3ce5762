import { type JSX, Show } from 'solid-js'
import { useSaving } from './saving.js'

/** Whether the last change was saved. */
export function SavingNews(): JSX.Element {
  const saving = useSaving()
  return (
    <div class="settings-news">
      <p role="status">{saving.progress()}</p>
      <Show when={saving.error()}>
        <p class="notice bad" role="alert">
          {saving.error()}
        </p>
      </Show>
    </div>
  )
}
