/** What a website shows of itself in a message. Texts are short and on one line; addresses are those of other hosts. */
export interface Website {
  /** A page; a picture alone; or a video with a player of its own. */
  readonly kind: 'page' | 'photo' | 'video'
  /** '' if there is none. */
  readonly title: string
  readonly description: string
  /** Without a picture a website is not shown. */
  readonly image: string
  /** Address of the player of a video; otherwise ''. */
  readonly player: string
}
