/// Bytes, which serde is told not to take for a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, DERIVES)]
pub struct Bytes(pub Vec<u8>);

impl serde::Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::Bytes::deserialize(deserializer).map(|bytes| Self(bytes.0))
    }
}

impl crate::neutral::Neutral for Bytes {
    fn read(from: &mut crate::neutral::Reader<'_>) -> Self {
        Self(Vec::read(from))
    }
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
}

