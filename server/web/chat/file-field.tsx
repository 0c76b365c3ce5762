import { type JSX, splitProps } from 'solid-js'
import { t } from '../language/language.js'
import { Icon } from '../look/icon.js'
import './file-field.css'

interface FileFieldProps extends JSX.InputHTMLAttributes<HTMLInputElement> {
  readonly title: string
  /** The name of the chosen file, where a form sends it later. */
  readonly chosen?: string | undefined
}

/**
 * A field for a picture. The browser's own field speaks the language of the browser and not that of the page, so it lies unseen above a
 * button of the page; files are dropped on it all the same.
 */
export function FileField(props: FileFieldProps): JSX.Element {
  const [own, input] = splitProps(props, ['title', 'chosen'])
  return (
    <div class="field">
      <span aria-hidden="true">{own.title}</span>
      <span class="file-field button">
        <Icon name="clip" />
        <span class="row-name" dir="auto">
          {own.chosen || t('words.choosePicture')}
        </span>
        <input {...input} type="file" aria-label={own.title} />
      </span>
    </div>
  )
}
