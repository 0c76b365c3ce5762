import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { useView } from '../view.js'
import { PeopleList } from './people-list.js'

/** People beside the conversation. */
export function PeoplePanel(): JSX.Element {
  const view = useView()
  return (
    <aside class="people" aria-label={t('people.title')}>
      <header class="people-head">
        <h2>{t('people.title')}</h2>
        <button
          type="button"
          class="icon-button"
          aria-label={t('people.hide')}
          title={t('people.hide')}
          onClick={view.people.toggle}
        >
          <Icon name="close" size={16} />
        </button>
      </header>
      <Show when={view.narrow()}>{narrow => <PeopleList narrow={narrow()} />}</Show>
    </aside>
  )
}
