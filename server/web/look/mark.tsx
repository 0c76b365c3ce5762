import { type JSX, Show } from 'solid-js'
import { ownPicture } from './own-picture.js'

/** The icon that the organization uploaded, otherwise the logo of the program. */
export function OrganizationIcon(props: { address: string | undefined; size: number }): JSX.Element {
  return (
    <Show when={ownPicture(props.address)} fallback={<Mark size={props.size} />}>
      {address => <img class="organization-icon" src={address()} width={props.size} height={props.size} alt="" />}
    </Show>
  )
}

/** The logo: two speech bubbles. */
export function Mark(props: { size: number }): JSX.Element {
  return (
    <svg width={props.size} height={props.size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0f766e" />
      <path
        fill="#fff"
        d="M8 10.5A2.5 2.5 0 0 1 10.5 8h8a2.5 2.5 0 0 1 2.5 2.5v4a2.5 2.5 0 0 1-2.5 2.5H13l-3.2 2.7c-.33.27-.8.04-.8-.38V17A2.5 2.5 0 0 1 8 14.5z"
      />
      <path
        fill="#99f6e4"
        d="M23 13.2c1.200.3 2 1.300 2 2.5v4a2.5 2.5 0 0 1-1.5 2.3v1.900c0 .42-.49.65-.8.38L20 22h-4.5a2.5 2.5 0 0 1-2.3-1.5l.6-.5H20a3 3 0 0 0 3-3z"
      />
    </svg>
  )
}
