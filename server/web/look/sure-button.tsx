import { createSignal, type JSX } from 'solid-js'

interface SureButtonProps {
  readonly title: string
  /** The title after the first click, with what a second one does. */
  readonly sureTitle: string
  /** Its name before the first click, if the title does not say what it is about. */
  readonly label?: string
  work(): unknown
}

/** A button for what is not easily undone: it needs a second click, until it loses the focus. */
export function SureButton(props: SureButtonProps): JSX.Element {
  const [isSure, setSure] = createSignal(false)
  return (
    <button
      type="button"
      class="button"
      classList={{ danger: isSure() }}
      onClick={() => (isSure() ? props.work() : setSure(true))}
      aria-label={isSure() ? undefined : props.label}
      onBlur={() => setSure(false)}
    >
      {isSure() ? props.sureTitle : props.title}
    </button>
  )
}
