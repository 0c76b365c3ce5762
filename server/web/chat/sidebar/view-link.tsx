import { type JSX, onCleanup } from 'solid-js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { menuByPointer, menuByPress } from '../context-menu.js'
import { usePlaceDeeds } from '../feed/place-deeds.js'
import { useView } from '../view.js'

interface ViewLinkProps {
  readonly narrow: Narrow
  readonly isOpen: boolean
  readonly class?: string
  readonly classList?: Readonly<Record<string, boolean | undefined>>
  readonly children: JSX.Element
}

/**
 * A row of the list that leads to a view, with Alt beside the open one, and has the menu of that view. It is a link, so the browser opens it in
 * another tab; with Shift its own menu opens.
 */
export function ViewLink(props: ViewLinkProps): JSX.Element {
  const view = useView()
  const deedsOf = usePlaceDeeds()
  const hasMenu = () => deedsOf(props.narrow).length > 0
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (event.altKey && view.mayOpenBeside(props.narrow)) view.openBeside(props.narrow)
    else view.go(props.narrow)
  }
  let link!: HTMLAnchorElement
  // A channel that is pinned, or changes its folder, gets another row in another section.
  onCleanup(() => {
    if (document.activeElement === link)
      queueMicrotask(() => document.querySelector<HTMLElement>(`a.row[href="${link.getAttribute('href')}"]`)?.focus())
  })
  return (
    <a
      ref={link}
      class={`row ${props.class ?? ''}`}
      classList={props.classList}
      href={`#${addressOf(props.narrow)}`}
      tabIndex={-1}
      aria-current={props.isOpen ? 'page' : undefined}
      onClick={follow}
      onPointerDown={event => hasMenu() && menuByPress(view, { row: props.narrow }, event)}
      onContextMenu={event => hasMenu() && menuByPointer(view, { row: props.narrow }, event)}
    >
      {props.children}
    </a>
  )
}
