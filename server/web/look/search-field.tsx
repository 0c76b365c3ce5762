import type { JSX } from 'solid-js'

interface SearchFieldProps {
  readonly label: string
  /** Has the focus when its dialog opens. */
  readonly isFirst?: boolean
  typed(words: string): unknown
}

/** A text box that finds something as the user types. */
export function SearchField(props: SearchFieldProps): JSX.Element {
  return (
    <input
      class="input"
      type="search"
      dir="auto"
      placeholder={props.label}
      aria-label={props.label}
      autofocus={props.isFirst}
      onInput={event => props.typed(event.currentTarget.value)}
    />
  )
}
