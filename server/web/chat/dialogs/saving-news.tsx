import type { JSX } from 'solid-js'
import { ErrorNotice } from '../../look/error-notice.js'
import { useSaving } from './saving.js'

/** Whether the last change was saved. */
export function SavingNews(): JSX.Element {
  const saving = useSaving()
  return (
    <div class="settings-news">
      <p role="status">{saving.progress()}</p>
      <ErrorNotice text={saving.error()} />
    </div>
  )
}
