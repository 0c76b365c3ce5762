import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { PeopleList } from '../people/people-list.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

/** People where the screen has no room for them beside the conversation. */
export function PeopleSheet(): JSX.Element {
  const view = useView()
  return (
    <Dialog title={t('people.title')} class="people-sheet">
      <Show when={view.narrow()}>{narrow => <PeopleList narrow={narrow()} />}</Show>
    </Dialog>
  )
}
