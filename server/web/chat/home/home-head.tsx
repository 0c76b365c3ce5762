import type { JSX } from 'solid-js'
import { BackButton } from '../back-button.js'
import { CloseButton } from '../close-button.js'
import { SearchBox } from '../search/search-box.js'

/** The head of a view that lists conversations. `children`: its actions. */
export function HomeHead(props: { title: string; children?: JSX.Element }): JSX.Element {
  return (
    <header class="feed-head">
      <BackButton />
      <div class="feed-title">
        <h1>
          <span class="title-text">{props.title}</span>
        </h1>
      </div>
      {props.children}
      <SearchBox narrow={undefined} />
      <CloseButton />
    </header>
  )
}
