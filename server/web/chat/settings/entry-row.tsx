import type { JSX } from 'solid-js'

interface EntryRowProps {
  readonly text: string
  /** Of the button. */
  readonly title: string
  /** The name of the button, which says what it is about. */
  readonly label: string
  work(): unknown
}

/** An entry of a list with what can be done with it. */
export function EntryRow(props: EntryRowProps): JSX.Element {
  return (
    <li class="choice setting-row">
      <span class="choice-words" dir="auto">
        {props.text}
      </span>
      <button type="button" class="button" aria-label={props.label} onClick={() => props.work()}>
        {props.title}
      </button>
    </li>
  )
}
