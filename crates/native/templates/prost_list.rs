#[derive(Clone, PartialEq, prost::Message)]
pub struct List {{
    #[prost(message, repeated, tag = "1")]
    pub records: Vec<{root}>,
}}

impl crate::harness::Records for List {{
    type Record = {root};
    fn of(records: Vec<{root}>) -> Self {{
        Self {{ records }}
    }}
    fn all(&self) -> &[{root}] {{
        &self.records
    }}
}}
