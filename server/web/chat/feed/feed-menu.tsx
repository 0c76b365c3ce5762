import { Index, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { Menu, MenuRow } from '../menu.js'
import { usePlaceDeeds } from './place-deeds.js'

/** The menu of the open view, if there is something in it. */
export function FeedMenu(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const deedsOf = usePlaceDeeds()
  const listed = () => deedsOf(props.narrow)
  return (
    <Show when={listed().length > 0}>
      <Menu label={t('feed.more')} title={t('feed.more')} buttonClass="icon-button" button={<Icon name="more" />}>
        {close => (
          // By index, so that a change of an entry keeps the focus.
          <Index each={listed()}>
            {deed => (
              <MenuRow
                icon={deed().icon}
                title={deed().title}
                work={() => {
                  close()
                  void chat.attempt(deed().work)
                }}
              />
            )}
          </Index>
        )}
      </Menu>
    </Show>
  )
}
