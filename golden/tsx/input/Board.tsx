import React, { memo, useState } from "react";
import type { Task } from "./tasks";
import * as ui from "./ui";
import { Avatar } from "./Avatar";

interface BoardProps {
  tasks: Task[];
  onMove?: (task: Task) => void;
}

const styles = { column: "column" } as const;

/** All tasks, by column. */
export function Board({ tasks, onMove }: BoardProps): React.ReactElement {
  const [picked, setPicked] = useState<Task | null>(null);
  const sorter = new ui.Sorter(tasks);
  const move = (task: Task) => onMove?.(task);

  return (
    <ui.Panel title="Board" onClose={() => setPicked(null)}>
      <div className={styles.column}>
        {sorter.sorted(tasks).map((task) => (
          <Card key={task.id} task={task} onClick={move} {...defaults(task)} />
        ))}
      </div>
      {picked && <Avatar<Task> owner={picked} />}
    </ui.Panel>
  );
}

type CardProps = { task: Task; onClick(task: Task): void };

/** One task. */
export const Card = memo(({ task, onClick }: CardProps) => {
  const Icon = ui.icons[task.kind];
  return (
    <>
      <Icon />
      <ui.Button onClick={() => onClick(task)}>{task.title}</ui.Button>
    </>
  );
});

const defaults = <T extends Task>(task: T) => ({ tabIndex: task.done ? -1 : 0 });

export class Guard extends React.Component<BoardProps, { failed: boolean }> {
  state = { failed: false };

  componentDidCatch(error: Error) {
    ui.report(error);
    this.setState({ failed: true });
  }

  render() {
    return this.state.failed ? <ui.Failure /> : <Board {...this.props} />;
  }
}

export default Board;
