import Panel, { Button, Menu } from '~/parts'
import { useCounter, type Counter } from '~/hooks'

function report(counter: Counter) {
  return counter.count
}

export function App() {
  const counter = useCounter(0)
  const press = () => counter.increase()
  return (
    <Panel title="shop" onPress={press}>
      <Menu.Item title="more" onPress={press} />
      <Menu.Line />
      <Button title={String(report(counter))} onPress={press} />
    </Panel>
  )
}
