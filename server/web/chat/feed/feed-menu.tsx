import { createSignal, Index, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { type Deed, DeedRow, Menu } from '../menu.js'
import { usePlaceDeeds } from './place-deeds.js'

/** The menu of the open view, if there is something in it. */
export function FeedMenu(props: { narrow: Narrow }): JSX.Element {
  const deedsOf = usePlaceDeeds()
  const listed = () => deedsOf(props.narrow)
  return (
    <Show when={listed().length > 0}>
      <Menu label={t('feed.more')} title={t('feed.more')} buttonClass="icon-button" button={<Icon name="more" />}>
        {close => <Deeds listed={listed()} close={close} />}
      </Menu>
    </Show>
  )
}

/** The entries; one that cannot be undone asks once more. */
function Deeds(props: { listed: readonly Deed[]; close(): void }): JSX.Element {
  const chat = useChat()
  const [isSure, setSure] = createSignal(false)
  const run = (deed: Deed) => {
    if (deed.sure && !isSure()) return setSure(true)
    props.close()
    void chat.attempt(deed.work)
  }
  return (
    // By index, so that a change of an entry keeps the focus.
    <Index each={props.listed}>{deed => <DeedRow deed={deed()} isSure={isSure()} work={() => run(deed())} />}</Index>
  )
}
