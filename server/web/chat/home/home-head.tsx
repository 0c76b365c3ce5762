import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { SearchBox } from '../search/search-box.js'
import { useView } from '../view.js'

/** The head of a view that lists conversations. `children`: its actions. */
export function HomeHead(props: { title: string; children?: JSX.Element }): JSX.Element {
  const view = useView()
  return (
    <header class="feed-head">
      <IconButton icon="back" label={t('home.back')} class="back" work={() => view.go(undefined)} />
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
