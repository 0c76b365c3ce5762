import { createSignal, type JSX, Show } from 'solid-js'
import { Icon } from '../look/icon.js'
import { isPicture } from '../state/file-kind.js'
import './file-sign.css'

/** The thumbnail of an uploaded picture, otherwise an icon. */
export function FileSign(props: { name: string; address?: string }): JSX.Element {
  const [isBroken, setBroken] = createSignal(false)
  const thumbnail = () =>
    props.address && isPicture(props.name) && !isBroken()
      ? `${props.address.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
      : undefined
  return (
    <span class="file-sign">
      <Show when={thumbnail()} fallback={<Icon name={isPicture(props.name) ? 'picture' : 'snippet'} />}>
        {address => <img src={address()} alt="" loading="lazy" onError={() => setBroken(true)} />}
      </Show>
    </span>
  )
}
