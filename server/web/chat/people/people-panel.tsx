import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { useView } from '../view.js'
import { PeopleList } from './people-list.js'

/** People beside the conversation. */
export function PeoplePanel(): JSX.Element {
  const view = useView()
  return (
    <aside class="people" aria-label={t('people.title')}>
      <header class="people-head">
        <h2>{t('people.title')}</h2>
        <IconButton icon="close" size={16} label={t('people.hide')} work={view.people.toggle} />
      </header>
      <Show when={view.narrow()}>{narrow => <PeopleList narrow={narrow()} />}</Show>
    </aside>
  )
}
