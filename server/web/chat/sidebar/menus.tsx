import { type JSX, Match, Show, Switch } from 'solid-js'
import { t } from '../../language/language.js'
import { useChat } from '../chat.js'
import { ContextMenu } from '../context-menu.js'
import { usePlaceDeeds } from '../feed/place-deeds.js'
import { narrowTitle, sectionName } from '../names.js'
import { useView } from '../view.js'
import { useListing } from './listing.js'
import { deedsOfSection } from './section-deeds.js'

/** The open menu of a row or a heading of the list, if any. */
export function ListMenus(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const listing = useListing()
  const deedsOf = usePlaceDeeds()
  return (
    <Show when={view.contextMenu()} keyed>
      {place => (
        <Switch>
          <Match when={place.row} keyed>
            {narrow => (
              <ContextMenu
                place={place}
                label={t('sidebar.menu', narrowTitle(chat.state, narrow))}
                deeds={deedsOf(narrow)}
              />
            )}
          </Match>
          <Match when={place.section} keyed>
            {section => (
              <ContextMenu
                place={place}
                label={t('sidebar.menu', sectionName(chat.state, section))}
                deeds={deedsOfSection(chat, view, listing, section)}
              />
            )}
          </Match>
        </Switch>
      )}
    </Show>
  )
}
