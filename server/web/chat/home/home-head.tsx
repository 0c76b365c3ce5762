import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { SearchBox } from '../search/search-box.js'
import { useView } from '../view.js'

/** The head of a view that lists conversations. `children`: its actions. */
export function HomeHead(props: { title: string; children?: JSX.Element }): JSX.Element {
  const view = useView()
  return (
    <header class="feed-head">
      <button
        type="button"
        class="icon-button back"
        aria-label={t('home.back')}
        title={t('home.back')}
        onClick={() => view.go(undefined)}
      >
        <Icon name="back" />
      </button>
      <div class="feed-title">
        <h1>
          <span class="title-text">{props.title}</span>
        </h1>
      </div>
      {props.children}
      <SearchBox narrow={undefined} />
    </header>
  )
}
