import { For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import type { Upload } from './uploads.js'

/** Files on their way to the server. */
export function UploadList(props: { uploads: readonly Upload[] }): JSX.Element {
  return (
    <Show when={props.uploads.length > 0}>
      <ul class="uploads" aria-label={t('composer.uploads')}>
        <For each={props.uploads}>
          {upload => (
            <li class="upload">
              <span class="upload-name" dir="auto">
                {upload.name}
              </span>
              <progress aria-label={t('composer.upload', upload.name)} max={1} value={upload.sent()} />
              <IconButton
                icon="close"
                label={t('composer.cancelUpload', upload.name)}
                title={t('words.cancel')}
                work={upload.cancel}
              />
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}
