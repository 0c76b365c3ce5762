import type { JSX } from 'solid-js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { useView } from '../view.js'

interface ViewLinkProps {
  readonly narrow: Narrow
  readonly isOpen: boolean
  readonly class?: string
  readonly classList?: Readonly<Record<string, boolean | undefined>>
  readonly children: JSX.Element
}

/** A row of the list that leads to a view. It is a link, so the browser opens it in another tab or copies its address. */
export function ViewLink(props: ViewLinkProps): JSX.Element {
  const view = useView()
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    view.go(props.narrow)
  }
  return (
    <a
      class={`row ${props.class ?? ''}`}
      classList={props.classList}
      href={`#${addressOf(props.narrow)}`}
      aria-current={props.isOpen ? 'page' : undefined}
      onClick={follow}
    >
      {props.children}
    </a>
  )
}
