//! What is measured of a pack, by the names that tables and saved rows use.

use super::score::Outcome;

macro_rules! metrics {
    ($($metric:ident $name:literal $value:expr;)+) => {
        /// A column of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Metric {
            $($metric,)+
        }

        impl Metric {
            pub const ALL: [Metric; [$($name),+].len()] = [$(Metric::$metric),+];

            pub fn name(self) -> &'static str {
                match self { $(Metric::$metric => $name),+ }
            }

            /// Of one outcome; None where there is nothing to measure.
            pub fn value(self, outcome: &Outcome) -> Option<f64> {
                let value: fn(&Outcome) -> Option<f64> = match self { $(Metric::$metric => $value),+ };
                value(outcome)
            }
        }
    };
}

metrics! {
    Recall1 "R@1" |outcome| Some(outcome.recall[0]);
    Recall5 "R@5" |outcome| Some(outcome.recall[1]);
    Recall10 "R@10" |outcome| Some(outcome.recall[2]);
    All1 "acc@1" |outcome| Some(outcome.all[0]);
    All5 "acc@5" |outcome| Some(outcome.all[1]);
    All10 "acc@10" |outcome| Some(outcome.all[2]);
    PackFiles "packfile" |outcome| Some(outcome.pack_files);
    Edits "edit" |outcome| Some(outcome.edits);
    Functions "func" |outcome| outcome.functions;
    Whole1k "whole@1k" |outcome| Some(outcome.whole[0]);
    Whole2k "whole@2k" |outcome| Some(outcome.whole[1]);
    Whole4k "whole@4k" |outcome| Some(outcome.whole[2]);
    Whole8k "whole@8k" |outcome| Some(outcome.whole[3]);
}
