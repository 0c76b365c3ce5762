import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { useChat } from '../chat.js'
import { ContextMenu } from '../context-menu.js'
import { usePlaceDeeds } from '../feed/place-deeds.js'
import { narrowTitle } from '../names.js'
import { useView } from '../view.js'

/** The open menu of a row of the list, if any. */
export function RowMenu(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const deedsOf = usePlaceDeeds()
  return (
    <Show when={view.contextMenu()} keyed>
      {place => (
        <Show when={place.row} keyed>
          {narrow => (
            <ContextMenu
              place={place}
              label={t('sidebar.menu', narrowTitle(chat.state, narrow))}
              deeds={deedsOf(narrow)}
            />
          )}
        </Show>
      )}
    </Show>
  )
}
