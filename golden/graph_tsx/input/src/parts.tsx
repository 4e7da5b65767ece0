import React, { type ReactNode } from 'react'

export interface ButtonProps {
  title: string
  onPress(): void
  children?: ReactNode
}

export function Button({ title, onPress, children }: ButtonProps) {
  return (
    <button onClick={onPress}>
      <Icon name={title} />
      {children}
    </button>
  )
}

const Icon = (props: { name: string }) => <i>{props.name}</i>

export const Menu = {
  Item: (props: ButtonProps) => <Button {...props} />,
  Line() {
    return <hr />
  },
}

export default class Panel extends React.Component<ButtonProps> {
  heading() {
    return this.props.title
  }

  render() {
    return <section>{this.heading()}</section>
  }
}
