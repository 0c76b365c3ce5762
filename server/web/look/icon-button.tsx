import type { JSX } from 'solid-js'
import { Icon, type IconName } from './icon.js'

interface IconButtonProps {
  readonly icon: IconName
  readonly size?: number
  /** Its name; also its title, unless another one is given. */
  readonly label: string
  readonly title?: string
  readonly class?: string
  readonly isPressed?: boolean
  readonly isExpanded?: boolean
  readonly isDisabled?: boolean
  readonly opens?: 'dialog' | 'menu'
  /** Arrow keys reach it, not the Tab key. */
  readonly isWalked?: boolean
  work(event: MouseEvent & { readonly currentTarget: HTMLButtonElement }): unknown
}

/** A button that shows an icon alone. */
export function IconButton(props: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ''}`}
      aria-label={props.label}
      title={props.title ?? props.label}
      aria-pressed={props.isPressed}
      aria-expanded={props.isExpanded}
      aria-haspopup={props.opens}
      disabled={props.isDisabled}
      tabIndex={props.isWalked ? -1 : undefined}
      onClick={event => props.work(event)}
    >
      <Icon name={props.icon} size={props.size} />
    </button>
  )
}
